import './styles/design.css'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** Where the service is reached, without a slash at the end; empty unless a proxy adds a path. */
export const basePath = document.documentElement.dataset.base ?? ''

export function mount(app: ReactNode): void {
  // React Aria writes a <style> into the page unless an element with this name is there; the policy
  // allows no inline style, so the rule stands in our own sheet and the sheet takes the name.
  document.querySelector('link[rel=stylesheet]')!.id = 'react-aria-pressable-style'
  createRoot(document.getElementById('app')!).render(<StrictMode>{app}</StrictMode>)
}
