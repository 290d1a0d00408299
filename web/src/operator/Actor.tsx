import { TwoLines } from '../kit/console/Table.tsx'

/** The operator that acted. For a token, which is recorded as `token:<id> of <owner>`, its owner and its id. */
export function Actor({ name }: { name: string }) {
  const [, token, owner] = /^token:(\S+) of (.+)$/.exec(name) ?? []
  if (token === undefined || owner === undefined) return <bdi>{name}</bdi>
  return <TwoLines first={owner} second={token} />
}
