import './polyfills.ts'
import './styles/design.css'
import { type ComponentType, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { LoadBoundary } from './LoadBoundary.tsx'

export function mount(
  LanguageProvider: ComponentType<{ children: ReactNode }>,
  App: ComponentType,
): void {
  // React Aria adds a <style> unless an element with this id exists. The content security policy
  // forbids inline styles, so base.css has the rule and our stylesheet takes the id.
  document.querySelector('link[rel=stylesheet]')!.id = 'react-aria-pressable-style'
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <LoadBoundary>
        <LanguageProvider>
          <App />
        </LanguageProvider>
      </LoadBoundary>
    </StrictMode>,
  )
}
