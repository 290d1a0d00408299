import { join } from 'node:path'
import type { Config } from '@florin/server/config.js'
import { CommitUnknown } from '@florin/server/database/errors.js'
import { createNextKey, parseKey, useNextKey } from '@florin/server/keyFiles.js'
import {
  type Rotation,
  RotationRefused,
  rotateSecretKey,
} from '@florin/server/ops/rotateSecretKey.js'
import { Refused, Unreachable, UsageError } from './failure.ts'
import { commandLineName, readLocalConfig, withService } from './local.ts'
import { escapeLines, print, printLine, showProgress } from './print.ts'

const SETTING = 'FLORIN_SECRET_KEY'
const NEW_SETTING = 'FLORIN_NEW_SECRET_KEY'

/** Replaces the secret key: that of `FLORIN_SECRET_KEY` with that of `FLORIN_NEW_SECRET_KEY`, or the file with a generated one. */
export async function rotateKey({
  json,
  keepsBroken,
}: {
  json: boolean
  keepsBroken: boolean
}): Promise<void> {
  const config = readLocalConfig()
  const given = readNewKey(config)
  const { dataFolder } = config
  const { rotation, oldFile } = await withService(
    async ({ service: { database, secretKey } }) => {
      try {
        const rotation = await rotateSecretKey(database, {
          oldKey: secretKey,
          createKey: async () => given ?? createNextKey(dataFolder),
          keepsBroken,
          actor: { name: commandLineName(), requestId: null },
          onProgress: showProgress,
        })
        return { rotation, oldFile: given === null ? await useNextKey(dataFolder) : null }
      } catch (error) {
        if (error instanceof RotationRefused) throw new Refused(error.message)
        throw error instanceof CommitUnknown ? unknownResult(error, given !== null) : error
      } finally {
        showProgress('')
      }
    },
    {
      config,
      applicationName: 'florin rotate-key',
      print: (line) => void process.stderr.write(`${escapeLines(line)}\n`),
    },
  )
  const file = given === null ? join(dataFolder, 'secret.key') : null
  const report = {
    webhook_secrets: rotation.webhooks,
    authenticator_secrets: rotation.totp,
    emails: rotation.mails,
    audit_log_entries: rotation.auditEntries,
    sealed_days: rotation.days,
    archived_months: rotation.months,
    head: rotation.head,
    broken_seals: rotation.broken,
    key: file ?? NEW_SETTING,
    old_key: oldFile,
  }
  if (json) print(report, { json, columns: null })
  else printLine(textReport(rotation, { file, oldFile }))
}

/** Null if the key is in a file. */
function readNewKey(config: Config): Buffer | null {
  const text = process.env[NEW_SETTING]?.trim()
  if (config.secretKey === null) {
    if (!text) return null
    throw new UsageError(
      `The secret key is in ${join(config.dataFolder, 'secret.key')}, and the command generates a new one. Unset ${NEW_SETTING}.`,
    )
  }
  const key = parseKey(text ?? '')
  if (key !== null) return key
  throw new UsageError(
    `Set ${NEW_SETTING} to the new key: 32 bytes in base64 (openssl rand -base64 32).`,
  )
}

const unknownResult = (error: CommitUnknown, isSet: boolean) =>
  new Unreachable(
    `${error.message}. ${isSet ? 'Start Florin with the new key. If it is refused, the old one is still in use.' : 'Start Florin: it finds out which key is in use.'}`,
  )

function textReport(
  { webhooks, totp, mails, auditEntries, days, months, head, broken }: Rotation,
  { file, oldFile }: { file: string | null; oldFile: string | null },
): string {
  const lines = [
    'The secret key was replaced.',
    `Encrypted again: ${webhooks} webhook secrets, ${totp} authenticator secrets, ${mails} emails.`,
    `Sealed again: ${auditEntries} entries of the audit log, ${days} days, ${months} archived months.`,
    ...(broken.length === 0 ? [] : ['Broken, and still reported by npx florin audit:']),
    ...broken.map((subject) => `  ${subject}`),
    ...(head === null ? [] : [`Note the new head of the audit log elsewhere: ${head}`]),
    '',
    file === null
      ? `Set ${SETTING} to the new key on every machine, and unset ${NEW_SETTING}. Then start Florin.`
      : `The new key is in ${file}. Copy it to your secret store, and to other machines that use the file. Then start Florin.`,
    'Earlier backups need the old key. Make a new backup.',
    ...(oldFile === null ? [] : [`The old key is in ${oldFile}.`]),
  ]
  return lines.join('\n')
}
