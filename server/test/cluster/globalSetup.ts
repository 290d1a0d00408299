import { removeLeftovers } from './spaces.ts'

/** A run that is interrupted does not come to its own end; this is done then, too. */
export default function setup(): () => void {
  return removeLeftovers
}
