import { removeLeftovers } from './namespaces.ts'

/** Removes the leftovers of interrupted runs, before and after the tests. */
export default function setup(): () => void {
  return removeLeftovers
}
