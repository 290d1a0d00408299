import type { Field, Kind, Model } from './model.ts'

/** A class with read-only properties, which is made from the data of a response. */
export function phpClass({ name, description, fields }: Model, values: Values): string {
  const doc = description === '' ? '' : `/** ${description} */\n`
  return `namespace Florin\\Model;

${fields.some((field) => usesTime(field.kind)) ? 'use Florin\\Internal\\Json;\n\n' : ''}${doc}final class ${name}
{
    public function __construct(
${fields.map((field) => property(field, values)).join('')}    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
${fields.map((field) => `            ${field.name}: ${reading(field, values)},\n`).join('')}        );
    }
}
`
}

/** The values of each named type, such as `PaymentStatus`. PHP types list the values instead of the name. */
type Values = ReadonlyMap<string, readonly string[]>

function property({ name, kind, isNullable, description }: Field, values: Values): string {
  const native = nativeType(kind, values)
  const documented = docType(kind, values, 'response')
  const orNull = isNullable ? '|null' : ''
  const tag = documented === native ? '' : `@var ${documented}${orNull}`
  const text = [tag, description].filter((part) => part !== '').join(' ')
  return `        /** ${text} */\n        public readonly ${isNullable ? '?' : ''}${native} $${name},\n`
}

const usesTime = (kind: Kind) => kind.is === 'time'

function nativeType(kind: Kind, values: Values): string {
  if (kind.is === 'named') return values.has(kind.name) ? 'string' : kind.name
  if (kind.is === 'list' || kind.is === 'object') return 'array'
  if (kind.is === 'integer') return 'int'
  if (kind.is === 'boolean') return 'bool'
  return kind.is === 'time' ? '\\DateTimeImmutable' : 'string'
}

function docType(kind: Kind, values: Values, use: 'request' | 'response'): string {
  if (kind.is === 'literal') return literal(kind.values)
  if (kind.is === 'named' && values.has(kind.name)) return literal(values.get(kind.name)!)
  if (kind.is === 'list') return `list<${docType(kind.of, values, use)}>`
  if (kind.is === 'object') return 'array<string, mixed>'
  if (kind.is === 'time' && use === 'request') return 'string|\\DateTimeInterface'
  return nativeType(kind, values)
}

const literal = (values: readonly string[]) => values.map((value) => `'${value}'`).join('|')

function reading({ name, kind, isNullable }: Field, values: Values): string {
  const from = `$data['${name}']`
  const isClass = kind.is === 'named' && !values.has(kind.name)
  const isListOfClasses = kind.is === 'list' && kind.of.is === 'named' && !values.has(kind.of.name)
  const converted = isClass
    ? `${kind.name}::fromArray(${from})`
    : isListOfClasses
      ? `array_map(${(kind.of as { name: string }).name}::fromArray(...), ${from})`
      : usesTime(kind)
        ? `Json::time(${from})`
        : null
  // A service that is older than this client doesn't have every field.
  if (converted === null) return isNullable ? `${from} ?? null` : from
  return isNullable ? `isset(${from}) ? ${converted} : null` : converted
}

/** Array shapes for PHPStan, Psalm and editors. */
export function phpShapes(models: readonly Model[], values: Values): string {
  const names = new Set(models.map(({ name }) => name))
  return models
    .map(({ name, fields }) => {
      const lines = fields.map(({ name: field, kind, isNullable, isRequired }) => {
        const type = shapeType(kind, values, names)
        return ` *     ${field}${isRequired ? '' : '?'}: ${type}${isNullable ? '|null' : ''},\n`
      })
      return ` * @phpstan-type ${name} array{\n${lines.join('')} * }\n`
    })
    .join('')
}

function shapeType(kind: Kind, values: Values, names: ReadonlySet<string>): string {
  if (kind.is === 'named' && names.has(kind.name)) return kind.name
  if (kind.is === 'list') return `list<${shapeType(kind.of, values, names)}>`
  return docType(kind, values, 'request')
}
