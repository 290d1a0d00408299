import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SCOPES } from '@florin/contract/values.js'
import type { Config } from './config.ts'
import type { CurrencyCode } from './core/currencies.ts'
import { MODES, type Mode, parseWalletId, type StoreId, type WalletNumber } from './core/ids.ts'
import { parseRate } from './core/money.ts'
import { latestTokenExpiry } from './core/operator.ts'
import type { Role } from './core/person.ts'
import { mintPin } from './core/pins.ts'
import { decryptSecret } from './core/secrets.ts'
import type { Store } from './core/store.ts'
import { NEW_STORE_SETTINGS } from './core/storeSettings.ts'
import { issueCredential } from './ops/credentials.ts'
import { moveMoney } from './ops/moveMoney.ts'
import { createOperator, OPERATORS } from './ops/operators.ts'
import { createToken } from './ops/operatorTokens.ts'
import { createPerson, PEOPLE } from './ops/people.ts'
import { setRate } from './ops/rates.ts'
import { resetStaffPassword } from './ops/staffAccounts.ts'
import { createStore } from './ops/stores.ts'
import { changeTill } from './ops/tills.ts'
import { createWallet } from './ops/wallets.ts'
import type { DemoSignIn, Service } from './service.ts'
import { findOperatorByEmail } from './sql/operators.ts'
import { findPersonByEmail } from './sql/people.ts'
import { findSecrets } from './sql/secrets.ts'
import { findStore } from './sql/stores.ts'

type Keys = { api_key: string; api_secret: string; webhook_secret: string }
type SignIn = { email: string; password: string }
type DemoWallet = { mode: Mode; name: string; phone: string; pin: string; wallet_id: string }

/** The content of `demo.json`: all credentials for trying the service. */
export type Demo = {
  base_url: string
  store: { id: number; name: string; currency: string }
  live: Keys
  sandbox: Keys
  wallets: DemoWallet[]
  /** The owner of the store. */
  merchant: SignIn
  cashier: SignIn
  operator: { token: string } & SignIn
}

/** The content of a stored `demo.json`. The file of an earlier version may lack people. */
export type StoredDemo = Omit<Demo, 'merchant' | 'cashier' | 'operator'> &
  Partial<Pick<Demo, 'merchant' | 'cashier'>> & { operator: { token: string } & Partial<SignIn> }

/** The actor in the audit log for everything that the demo creates. */
export const DEMO_ACTOR = { name: 'demo', requestId: null }
const USD = 'USD' as CurrencyCode
const RATES = { EUR: '1.0842', GBP: '1.2710', JPY: '0.0066', KWD: '3.2450' }
const QUICK_ITEMS = [
  { name: 'Espresso', priceMinor: 280n },
  { name: 'Cappuccino', priceMinor: 390n },
  { name: 'Tea', priceMinor: 325n },
  { name: 'Croissant', priceMinor: 350n },
  { name: 'Cheesecake', priceMinor: 540n },
  { name: 'Still water', priceMinor: 250n },
]
const WALLETS: { mode: Mode; name: string; phone: string }[] = [
  { mode: 'live', name: 'Ada Lovelace', phone: '+15550100001' },
  { mode: 'live', name: 'Grace Hopper', phone: '+15550100002' },
  { mode: 'sandbox', name: 'Test Ada', phone: '+15550100003' },
  { mode: 'sandbox', name: 'Test Grace', phone: '+15550100004' },
]

/**
 * Creates the demo data if it doesn't exist, and writes `demo.json`. Secrets are stored in plain text
 * nowhere else, so if the file is lost, the demo is created again.
 */
export async function prepareDemo(service: Service): Promise<Demo> {
  const path = demoPath(service.config)
  const storedDemo = await readDemo(service.config)
  const store = storedDemo && (await findStore(service.database, storedDemo.store.id as StoreId))
  const isOurs = store !== null && storedDemo !== null && (await hasKeys(service, storedDemo))
  const demo = isOurs ? storedDemo : await createDemo(service)
  const { operator, ...rest } = demo
  const storeId = demo.store.id as StoreId
  const current: Demo = {
    ...rest,
    base_url: service.config.publicUrl,
    // Files of earlier versions have no people.
    merchant: demo.merchant ?? (await createDemoPerson(service, storeId, 'owner')),
    cashier: demo.cashier ?? (await createDemoPerson(service, storeId, 'cashier')),
    operator: { ...operator, ...(await createDemoOperator(service, operator)) },
  }
  // Write a temporary file and rename it, so that no reader sees a half-written one.
  await writeFile(`${path}.new`, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 })
  await chmod(`${path}.new`, 0o600)
  await rename(`${path}.new`, path)
  return current
}

/** The wallet that anyone can sign in to without a PIN on a demo server. It is a sandbox wallet, so it has no real money. */
export function demoWalletOf({ wallets }: Pick<Demo, 'wallets'>): WalletNumber | null {
  const wallet = wallets.find(({ mode }) => mode === 'sandbox')
  return wallet === undefined ? null : parseWalletId(wallet.wallet_id)
}

/** The sign-ins that the start page shows. */
export function demoSignInsOf({ wallets, cashier, merchant, operator }: StoredDemo): DemoSignIn[] {
  const wallet = wallets.find(({ mode }) => mode === 'sandbox')
  return [
    ...(wallet ? [{ app: 'wallet' as const, user: wallet.phone, secret: wallet.pin }] : []),
    ...signInOf('till', cashier),
    ...signInOf('dashboard', merchant),
    ...signInOf('operator', operator),
  ]
}

function signInOf(app: DemoSignIn['app'], { email, password }: Partial<SignIn> = {}): DemoSignIn[] {
  return email === undefined || password === undefined
    ? []
    : [{ app, user: email, secret: password }]
}

const demoPath = ({ dataFolder }: Config) => join(dataFolder, 'demo.json')

/** Null if the file doesn't exist or is unreadable. */
export async function readDemo(config: Config): Promise<StoredDemo | null> {
  try {
    const demo = JSON.parse(await readFile(demoPath(config), 'utf8')) as StoredDemo
    return typeof demo.store.id === 'number' && typeof demo.live.api_key === 'string' ? demo : null
  } catch {
    return null
  }
}

async function hasKeys(service: Service, demo: StoredDemo): Promise<boolean> {
  const credential = await service.credentials.get(demo.live.api_key)
  return credential !== null && credential.storeId === demo.store.id
}

async function createDemo(service: Service): Promise<StoredDemo> {
  const { database, secretKey } = service
  const settings = {
    ...NEW_STORE_SETTINGS,
    name: 'Demo Store',
    currency: USD,
    domain: 'demo.example.com',
    email: 'hello@demo.example.com',
    phone: '+15550100000',
    feeBps: 100,
    refundFeeMinor: 50n,
    minAmountMinor: 10n,
    maxAmountMinor: 1_000_000n,
    refundCapCashierMinor: 2_000n,
    dailyLimitMinor: 100_000_000_000n,
    monthlyLimitMinor: 1_000_000_000_000n,
  }
  const store = await createStore(database, DEMO_ACTOR, settings, secretKey)
  await changeTill(database, DEMO_ACTOR, store, { items: QUICK_ITEMS })
  for (const [from, text] of Object.entries(RATES)) {
    const rate = parseRate(text)!
    await setRate(database, DEMO_ACTOR, { from: from as CurrencyCode, to: USD, rate })
  }
  const keys = {} as Record<Mode, Keys>
  for (const mode of MODES) {
    const note = 'demo'
    const funding = { store, mode, kind: 'funding', amount: 100_000n, note, key: null } as const
    await moveMoney(database, DEMO_ACTOR, funding, service.mail)
    keys[mode] = await issueKeys(service, store, mode)
  }
  const wallets: DemoWallet[] = []
  for (const person of WALLETS) wallets.push(...(await createDemoWallet(service, person)))
  return {
    base_url: service.config.publicUrl,
    store: { id: store.storeId, name: store.name, currency: store.currency },
    live: keys.live,
    sandbox: keys.sandbox,
    wallets,
    operator: { token: await createDemoToken(service) },
  }
}

/** The label has the time, because an earlier demo may have left a token behind. */
async function createDemoToken({ database, mail, clock }: Service): Promise<string> {
  const now = clock.now()
  const owner = { operatorId: null, ownerName: 'demo' } as const
  const label = `demo ${now.toISOString()}`
  const fields = { label, scopes: ['admin'], expiresAt: latestTokenExpiry(now) } as const
  const created = await createToken({ database, mail }, DEMO_ACTOR, owner, fields)
  if (created.kind !== 'created') throw new Error('Another demo is being created. Try again.')
  return created.secret
}

async function issueKeys(service: Service, store: Store, mode: Mode): Promise<Keys> {
  const { storeId } = store
  const fields = { storeId, mode, label: 'demo', scopes: SCOPES, expiresAt: null }
  const { credential, apiSecret } = (await issueCredential(service, DEMO_ACTOR, fields))!
  const [encrypted] = await findSecrets(service.database, storeId, mode)
  return {
    api_key: credential.apiKey,
    api_secret: apiSecret,
    webhook_secret: decryptSecret(encrypted!, service.secretKey),
  }
}

/** Returns none if all phone numbers belong to wallets of earlier demos, whose PINs may have changed. */
async function createDemoWallet(
  { database, activation, mail }: Service,
  person: (typeof WALLETS)[number],
): Promise<DemoWallet[]> {
  // A random PIN, because others may be able to reach a demo.
  const pin = mintPin()
  const email = `${person.name.toLowerCase().replace(' ', '.')}@example.com`
  for (let digit = 0; digit < 10; digit++) {
    const phone = person.phone.replace(/0(?=\d$)/, String(digit))
    const profile = { ...person, phone, email, pin, locale: null }
    const result = await createWallet(database, DEMO_ACTOR, profile, activation)
    if (result.kind !== 'created') continue
    const { wallet } = result
    const topUp = {
      wallet,
      currency: USD,
      kind: 'top_up',
      amount: 100_000_000n,
      note: 'demo',
      key: null,
    } as const
    await moveMoney(database, DEMO_ACTOR, topUp, mail)
    return [{ ...person, phone, pin, wallet_id: result.wallet.publicId }]
  }
  return []
}

/** Resets the password if an interrupted start, or an earlier demo whose file is lost, has already created the operator. */
async function createDemoOperator(
  { database, mail }: Service,
  signIn: Partial<SignIn>,
): Promise<SignIn> {
  const { email = 'operator@demo.example.com', password } = signIn
  if (password !== undefined) return { email, password }
  const fields = {
    email,
    name: 'Demo operator',
    role: 'admin',
    password: null,
    locale: null,
    passwordChangeRequired: false,
  } as const
  const created = await createOperator(database, DEMO_ACTOR, fields, null)
  if (created.kind === 'created') return { email, password: created.password! }
  const { operatorId: id } = (await findOperatorByEmail(database, email))!
  const reset = await resetStaffPassword(database, OPERATORS, {
    by: { actor: DEMO_ACTOR, locale: 'en', mail },
    id,
    passwordChangeRequired: false,
  })
  return { email, password: reset!.password }
}

/** Resets the password if an interrupted start has already created the person. */
async function createDemoPerson({ database, mail }: Service, storeId: StoreId, role: Role) {
  const email = `${role}@demo${storeId}.example.com`
  const fields = {
    storeId,
    email,
    name: `Demo ${role}`,
    role,
    password: null,
    locale: null,
    passwordChangeRequired: false,
  }
  const created = await createPerson(database, DEMO_ACTOR, fields, null)
  if (created.kind === 'created') return { email, password: created.password! }
  const known = await findPersonByEmail(database, email)
  const reset = await resetStaffPassword(database, PEOPLE, {
    by: { actor: DEMO_ACTOR, locale: 'en', mail },
    id: known!.personId,
    passwordChangeRequired: false,
  })
  return { email, password: reset!.password }
}
