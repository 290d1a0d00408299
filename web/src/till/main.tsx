import { mount } from '../app/mount.tsx'
import { LanguageProvider } from './language.ts'
import { Till } from './Till.tsx'

mount(
  <LanguageProvider>
    <Till />
  </LanguageProvider>,
)
