import { createSession } from '../session.tsx'
import type { Who } from './account.ts'

/** Of who works for a store, at its till and at its desk. */
export const { SessionProvider, useSession } = createSession<Who>('store')
