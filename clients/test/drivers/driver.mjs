// Runs the commands of the conformance suite: one JSON line in, one JSON line out.
import { createInterface } from 'node:readline'
import { inspect } from 'node:util'
import { Florin, FlorinError, webhooks } from '../../../sdk/dist/esm/index.js'

/** Converts the marked values of a command, such as `{ $time }` to a Date. */
function decode(value) {
  if (Array.isArray(value)) return value.map(decode)
  if (typeof value !== 'object' || value === null) return value
  if ('$minor' in value) return BigInt(value.$minor)
  if ('$long' in value) return value.$long
  if ('$float' in value) return Number(value.$float)
  if ('$time' in value) return new Date(value.$time)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decode(item)]))
}

async function call({ call: name, args: sent = [], options = {}, client: settings }) {
  const args = decode(sent)
  if (name === 'webhooks.constructEvent') {
    const { tolerance: toleranceSeconds, now } = options
    const verifyOptions = { toleranceSeconds, ...(now === undefined ? {} : { now: new Date(now) }) }
    return webhooks.constructEvent(Buffer.from(args[0]), args[1], args[2], verifyOptions)
  }
  if (name === 'webhooks.signTestEvent') {
    const [type, secret, at, data] = args
    return webhooks.signTestEvent({ type, secret, at, data })
  }
  const { base_url: baseUrl, api_key: apiKey, api_secret: apiSecret, ...more } = settings
  const client = new Florin({ baseUrl, apiKey, apiSecret, ...more })
  if (name === 'printed') return `${inspect(client, { depth: 9 })}${JSON.stringify(client)}`
  const path = name.split('.')
  const method = path.pop()
  const target = path.reduce((object, part) => object[part], client)
  if (method === 'list') {
    const pages = []
    for await (const page of target.list(...args).pages()) pages.push(page.items)
    return pages
  }
  // The second parameter of these methods is optional, and the options come after it.
  if (['qr', 'pay', 'fail'].includes(method) && args.length === 1) args.push(undefined)
  const result = await target[method](...args, options)
  return result instanceof Uint8Array ? Buffer.from(result).toString('hex') : result
}

function failure(error) {
  if (!(error instanceof FlorinError)) return { kind: 'usage', message: error.message }
  const { name: kind, message, status, requestId, idempotencyKey, retryAfterMs, reason } = error
  const fields = error.errors?.map((problem) => problem.field)
  return { kind, message, status, requestId, idempotencyKey, retryAfterMs, reason, fields }
}

for await (const line of createInterface(process.stdin)) {
  const reply = await call(JSON.parse(line)).then(
    (result) => ({ result }),
    (error) => ({ error: failure(error) }),
  )
  process.stdout.write(`${JSON.stringify(reply)}\n`)
}
