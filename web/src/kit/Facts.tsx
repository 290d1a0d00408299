import type { ReactNode } from 'react'

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values; what there is none of is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false,
  )
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
