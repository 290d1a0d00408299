export type Tab = { readonly href: string; readonly label: string; readonly isCurrent: boolean }

/** The parts of one page; each has an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  )
}
