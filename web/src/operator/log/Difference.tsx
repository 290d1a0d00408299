import { Facts } from '../../kit/Facts.tsx'
import { useLanguage } from '../language.ts'
import type { LogEntry } from '../types.ts'

/** What an act changed: the names of the API with their values before and after. */
export function Difference({ entry: { before, after } }: { entry: LogEntry }) {
  const { say } = useLanguage()
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter((name) => text(before?.[name]) !== text(after?.[name]))
  if (changed.length === 0) return <p className="small soft">{say('noDifference')}</p>
  return (
    <div dir="ltr" className="difference">
      <Facts
        facts={changed.map((name) => [
          name,
          before === null ? text(after?.[name]) : `${text(before[name])} → ${text(after?.[name])}`,
        ])}
      />
    </div>
  )
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
