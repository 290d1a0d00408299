import { removeLeftovers } from './namespaces.ts'

/** After the tests, removes what an interrupted test file left. `openNetwork` removes the leftovers of earlier runs. */
export default function setup(): () => void {
  return removeLeftovers
}
