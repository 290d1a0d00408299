import { removeLeftovers } from './spaces.ts'

/** Cleans up after interrupted runs as well. */
export default function setup(): () => void {
  return removeLeftovers
}
