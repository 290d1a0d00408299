import { createSession } from './createSession.tsx'
import type { Who } from './who.ts'

/** Of who works for a store, at its till and at its desk. */
export const { SessionProvider, useSession } = createSession<Who>('store')
