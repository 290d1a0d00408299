import { ConfigError } from './config.ts'
import { DatabaseUnavailable, sqlState, UnusableServer } from './database/errors.ts'
import { SetupError } from './open.ts'

/** Says what to do about a known problem. Any other error keeps its stack trace. */
export function explainStartError(error: unknown, env: NodeJS.ProcessEnv): string {
  if (error instanceof ConfigError || error instanceof SetupError) return error.message
  if (error instanceof DatabaseUnavailable) return explainStartError(error.cause, env)
  if (error instanceof UnusableServer) return `Cannot use DATABASE_URL: ${error.message}.`
  const { code, message, syscall, hostname } = error as NodeJS.ErrnoException & {
    hostname?: string
  }
  if (code === 'EADDRINUSE') {
    return `Port ${env.PORT ?? 8080} is in use. Stop the program that uses it, or choose another port: PORT=8081 npm start`
  }
  // The database is opened before the port, so a name that both settings have failed for the database.
  const isHost = hostname !== undefined && hostname === env.HOST && hostname !== databaseHost(env)
  if (code === 'EADDRNOTAVAIL' || isHost) {
    return `HOST=${env.HOST} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all addresses.`
  }
  if (code === '28P01') return `DATABASE_URL: ${message}. Check the user and the password.`
  if (code === '28000' && /no encryption/.test(message)) {
    return `DATABASE_URL: ${message}. If PostgreSQL requires TLS, add ?sslmode=verify-full to DATABASE_URL.`
  }
  if (code === '08P01' && /startup parameter/.test(message)) {
    return `DATABASE_URL: ${message}. Connect to PostgreSQL directly instead of through a pooler.`
  }
  const advice = privilegeAdvice(error)
  if (advice !== null) return `DATABASE_URL: ${message}. ${advice}`
  if (code === '42P07') {
    return `DATABASE_URL: ${message}. Florin did not create it. Rename it, or use a database for Florin alone.`
  }
  if (code === '3D000') return `DATABASE_URL: ${message}. Create it first, or check the name.`
  // With several processes, the primary binds the port, and the workers get the error with the syscall `bind`.
  if (code === 'EACCES' && (syscall === 'listen' || syscall === 'bind')) {
    return `Permission denied for port ${env.PORT ?? 8080}. Choose a port above 1023.`
  }
  const fileProblem = explainFileError(error)
  if (fileProblem !== null) return fileProblem
  if (env.DATABASE_URL && isCertificateProblem(error)) {
    return `Cannot verify the certificate of DATABASE_URL: ${message}. For a certificate from your own CA, set NODE_EXTRA_CA_CERTS to the CA's file, and check the host name.`
  }
  const { path } = error as NodeJS.ErrnoException
  if (path !== undefined && isInDatabaseUrl(path, env)) {
    return `Cannot read the file ${path} of DATABASE_URL: ${message}. Check its path.`
  }
  if (env.DATABASE_URL && isConnectionProblem(error)) {
    return `Cannot connect to DATABASE_URL: ${message || code}. Check the address, and check that PostgreSQL is running.`
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Says what to do about a file or folder that cannot be used; null for other errors. */
export function explainFileError(error: unknown): string | null {
  const { code, message, syscall, path } = error as NodeJS.ErrnoException
  if (path === undefined) return null
  if (syscall === 'mkdir') {
    return `Cannot use the folder ${path}: ${message}. Check FLORIN_DATA and FLORIN_ARCHIVE.`
  }
  if (code === 'EACCES') {
    return `Permission denied for ${path}. The user who runs Florin must be able to read and write it.`
  }
  return null
}

/** What to do if the database role lacks a privilege; null for other errors. */
export function privilegeAdvice(error: unknown): string | null {
  if (sqlState(error) !== '42501') return null
  return /for (?:schema|database)/.test((error as Error).message)
    ? 'Make the role the owner of the database: alter database … owner to …'
    : 'Make the role the owner of the tables: reassign owned by … to …'
}

function databaseHost({ DATABASE_URL: url = '' }: NodeJS.ProcessEnv): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null
}

/** Whether `DATABASE_URL` names the file, such as a certificate in `sslrootcert`. */
const isInDatabaseUrl = (path: string, { DATABASE_URL: url = '' }: NodeJS.ProcessEnv): boolean =>
  URL.canParse(url) && [...new URL(url).searchParams.values()].includes(path)

/** Node.js passes on the codes of OpenSSL, such as UNABLE_TO_VERIFY_LEAF_SIGNATURE. */
function isCertificateProblem(error: unknown): boolean {
  const code = String((error as { code?: unknown }).code)
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
}

function isConnectionProblem(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  if (error instanceof AggregateError) return error.errors.some(isConnectionProblem)
  if (/timeout|terminated/i.test((error as Error).message)) return true
  return typeof code === 'string' && (/^E[A-Z_]+$/.test(code) || /^(08|28|3D|57P|53)/.test(code))
}
