import { Icon } from './Icon.tsx'

/** An arrow towards where one came from, which turns with the direction of the language. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <a className="tool" href={href} aria-label={label}>
      <span className="turns">
        <Icon name="back" />
      </span>
    </a>
  )
}
