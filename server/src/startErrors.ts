import { ConfigError } from './config.ts'
import { SetupError } from './open.ts'

/** Says what to do about a known problem. Any other error keeps its stack trace. */
export function explainStartError(error: unknown, env: NodeJS.ProcessEnv): string {
  if (error instanceof ConfigError || error instanceof SetupError) return error.message
  const { code, message, syscall, path } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') {
    return `Port ${env.PORT ?? 8080} is in use. Stop the program that uses it, or choose another port: PORT=8081 npm start`
  }
  if (code === 'EADDRNOTAVAIL') {
    return `HOST=${env.HOST} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`
  }
  if (syscall === 'mkdir')
    return `Cannot use the folder ${path}: ${message}. Check FLORIN_DATA and FLORIN_ARCHIVE.`
  if (code === '28P01') return `DATABASE_URL: ${message}. Check the user and the password.`
  if (code === '3D000') return `DATABASE_URL: ${message}. Create it first, or check the name.`
  // With several processes, the primary binds the port, and the workers get the error with the syscall `bind`.
  if (code === 'EACCES' && (syscall === 'listen' || syscall === 'bind')) {
    return `Permission denied for port ${env.PORT ?? 8080}. Choose a port above 1023.`
  }
  if (code === 'EACCES' && path !== undefined) {
    return `Permission denied for ${path}. The user who runs Florin must be able to read and write it.`
  }
  if (env.DATABASE_URL && isConnectionProblem(error)) {
    return `Cannot connect to DATABASE_URL: ${message || code}. Check the address, and check that PostgreSQL is running.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isConnectionProblem(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (error instanceof AggregateError) return error.errors.some(isConnectionProblem)
  if (/timeout|terminated/i.test((error as Error).message)) return true
  return typeof code === 'string' && (/^E[A-Z_]+$/.test(code) || /^(08|28|3D|57P|53)/.test(code))
}
