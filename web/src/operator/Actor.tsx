import { TwoLines } from '../kit/console/Table.tsx'

type Props = {
  name: string
  /** The name of the operator or person, if it is known. */
  knownAs?: string | null
}

/** Shows who or what acted. A token is recorded as `token:<id> of <owner>`, and shown as its owner and its id. */
export function Actor({ name, knownAs = null }: Props) {
  if (knownAs !== null) return <TwoLines first={knownAs} second={name} />
  const [, token, owner] = /^token:(\S+) of (.+)$/.exec(name) ?? []
  if (token === undefined || owner === undefined) return <bdi>{name}</bdi>
  return <TwoLines first={owner} second={token} />
}
