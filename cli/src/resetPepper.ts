import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { resetPepper as resetPepperOf } from '@florin/server/ops/resetPepper.js'
import { RotationRefused } from '@florin/server/ops/rotateSecretKey.js'
import { findKey, PEPPER } from './backup/keys.ts'
import { Refused, UsageError } from './failure.ts'
import { commandLineName, readLocalConfig, withService } from './local.ts'
import { print, printLine } from './print.ts'

const WARNING = `Without its pepper, Florin can't verify any PIN or activation code again. First look for it in your secret store: the
file pepper.key, or the FLORIN_PEPPER of the first start or the last reset. If it is lost or leaked, add --discard-pins.`

/** Replaces a lost or leaked pepper with that of `FLORIN_PEPPER`, or of the file, which is generated if it doesn't exist. */
export async function resetPepper({
  json,
  discardsPins,
}: {
  json: boolean
  discardsPins: boolean
}): Promise<void> {
  if (!discardsPins) throw new UsageError(WARNING)
  const config = readLocalConfig()
  const file = join(config.dataFolder, PEPPER.file)
  const isNew = (await findKey(PEPPER, config.dataFolder)) === null
  await withService(
    async ({ service: { database, pepper } }) => {
      try {
        const actor = { name: commandLineName(), requestId: null }
        await resetPepperOf(database, { pepper, actor })
      } catch (error) {
        if (!(error instanceof RotationRefused)) throw error
        if (isNew) await unlink(file)
        throw new Refused(error.message)
      }
    },
    { config, acceptsAnyPepper: true, applicationName: 'florin reset-pepper' },
  )
  const from = config.pepper === null ? file : PEPPER.setting
  if (json) print({ pepper: from }, { json, columns: null })
  else printLine(textReport(from))
}

const textReport = (
  from: string,
) => `The pepper was reset. PINs and activation codes of the old one no longer work.

The new pepper is in ${from}. Copy it to your secret store, and to every machine. Then start Florin.
Set new PINs: npx florin wallets pin WALLET. Or create activation codes: npx florin wallets activation WALLET.
Earlier backups need the old pepper. Make a new backup.`
