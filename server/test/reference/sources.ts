/** The request of an example. Header values can contain environment variables. */
export type Request = {
  readonly method: string
  /** The path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The file for a response that is not JSON. */
  readonly saveAs?: string
}

export const JSON_TYPE = { 'content-type': 'application/json' }

/** An environment variable in a header, `$NAME`. */
const VARIABLE = /\$([A-Z_]+)/

export function curlSource({ method, url, headers, body, saveAs }: Request): string[] {
  const implied = body === undefined ? 'GET' : 'POST'
  const parts = [
    `curl -sS "$FLORIN_URL${url}"${method === implied ? '' : ` -X ${method}`}`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [bodyOption(body)]),
    ...(saveAs === undefined ? [] : [`-o ${saveAs}`]),
  ]
  return lines(parts.join(' \\\n  '))
}

/** The picture that an example sends. */
export const PICTURE = 'logo.png'

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const bodyOption = (body: unknown) =>
  Buffer.isBuffer(body) ? `--data-binary @${PICTURE}` : `-d ${quoted(jsonText(body))}`

const MAX_COMPACT_LENGTH = 60
function jsonText(body: unknown): string {
  const compact = JSON.stringify(body)
  return compact.length > MAX_COMPACT_LENGTH ? JSON.stringify(body, null, 2) : compact
}

export function pythonSource({ method, url, headers, body, saveAs }: Request): string[] {
  const header = ([name, value]: [string, string]) =>
    `        ${JSON.stringify(name)}: ${expression(value, PYTHON)},`
  const parameters = [
    `    os.environ["FLORIN_URL"] + ${JSON.stringify(url)},`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    '    headers={',
    ...Object.entries(headers).map(header),
    '    },',
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, PYTHON)}).encode(),`]),
  ]
  const isJson = saveAs === undefined
  return [
    ...(isJson ? ['import json'] : []),
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    ...lines(parameters.join('\n')),
    ')',
    ...(isJson
      ? ['with urlopen(request) as response:', '    data = json.load(response)']
      : [`with urlopen(request) as response, open("${saveAs}", "wb") as file:`]),
    ...(isJson ? ['print(json.dumps(data, indent=2))'] : ['    file.write(response.read())']),
  ]
}

export function phpSource({ method, url, headers, body, saveAs }: Request): string[] {
  const header = ([name, value]: [string, string]) =>
    `        ${expression(`${name}: ${value}`, PHP)},`
  const options = [
    ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
    "    'header' => [",
    ...Object.entries(headers).map(header),
    '    ],',
    ...(body === undefined ? [] : [`    'content' => json_encode(${literal(body, PHP)}),`]),
  ]
  const download = 'file_get_contents($url, false, $context)'
  return [
    '<?php',
    `$url = getenv('FLORIN_URL') . '${url}';`,
    "$context = stream_context_create(['http' => [",
    ...lines(options.join('\n')),
    ']]);',
    ...(saveAs === undefined
      ? [
          `$body = ${download};`,
          'echo json_encode(json_decode($body), JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES);',
        ]
      : [`file_put_contents('${saveAs}', ${download});`]),
  ]
}

type Style = {
  open: string
  close: string
  pair: string
  text: (value: string) => string
  boolean: (value: boolean) => string
  null: string
  variable: (name: string) => string
  concatenate: string
}
const PYTHON: Style = {
  open: '{',
  close: '}',
  pair: ': ',
  text: JSON.stringify,
  boolean: (value) => (value ? 'True' : 'False'),
  null: 'None',
  variable: (name) => `os.environ["${name}"]`,
  concatenate: ' + ',
}
const PHP: Style = {
  open: '[',
  close: ']',
  pair: ' => ',
  text: (value) => `'${value.replace(/[\\']/g, '\\$&')}'`,
  boolean: String,
  null: 'null',
  variable: (name) => `getenv('${name}')`,
  concatenate: ' . ',
}

/** A text that can contain environment variables, as an expression of a language. */
function expression(value: string, style: Style): string {
  // Every second part is the name of a variable.
  const parts = value.split(VARIABLE)
  return parts
    .map((part, n) => (n % 2 === 1 ? style.variable(part) : part && style.text(part)))
    .filter((part) => part !== '')
    .join(style.concatenate)
}

/** A JSON value as a literal of a language, indented for the sources above. */
function literal(value: unknown, style: Style, indent = '    '): string {
  const deeper = `${indent}    `
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'boolean') return style.boolean(value)
  if (value === null) return style.null
  if (Array.isArray(value)) {
    const items = value.map((item) => `${deeper}${literal(item, style, deeper)},\n`)
    return `[\n${items.join('')}${indent}]`
  }
  if (typeof value === 'object') {
    const pairs = Object.entries(value).map(
      ([key, field]) =>
        `${deeper}${style.text(key)}${style.pair}${literal(field, style, deeper)},\n`,
    )
    return `${style.open}\n${pairs.join('')}${indent}${style.close}`
  }
  return JSON.stringify(value)
}

const lines = (text: string): string[] => text.split('\n')
