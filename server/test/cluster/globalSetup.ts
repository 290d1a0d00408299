import { removeLeftovers } from './namespaces.ts'

/** Removes the leftovers of interrupted runs after the tests. `openNetwork` removes those of earlier runs. */
export default function setup(): () => void {
  return removeLeftovers
}
