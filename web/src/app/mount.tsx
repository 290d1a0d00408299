import '../design/design.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** Where the service is reached, without a slash at the end; empty unless a proxy adds a path. */
export const basePath = document.documentElement.dataset.base ?? ''

export function mount(app: ReactNode): void {
  createRoot(document.getElementById('app')!).render(<StrictMode>{app}</StrictMode>)
}
