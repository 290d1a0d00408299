import type { ReactNode } from 'react'

export function Card({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className="card" aria-label={label}>
      {children}
    </section>
  )
}
