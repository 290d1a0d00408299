import type { SearchEntry } from '@florin/shared/search.js'
import type { Call, Chapter } from './document.ts'
import { errorList } from './errors.ts'
import { parameterRows, schemaRows } from './fields.ts'
import type { Topic } from './introduction.ts'

export const searchIndex = (
  topics: readonly Topic[],
  chapters: readonly Chapter[],
): SearchEntry[] => [
  ...topics.map(({ id, title, text }) => ({
    id,
    title,
    place: 'Basics',
    // The errors are entries of their own.
    words: id === 'errors' ? '' : distinctWords(text.markup.replace(/<[^<>]*>/g, ' ')),
  })),
  ...chapters.flatMap(({ calls }) => calls.map(callEntry)),
  ...errorList().map(({ id, status, message }) => ({
    id,
    title: message,
    tag: String(status),
    place: 'Errors',
    isError: true as const,
    words: '',
  })),
]

function callEntry(call: Call): SearchEntry {
  const { operationId, summary, method, path, description = '', parameters = [] } = call
  const body = call.requestBody?.content['application/json']?.schema ?? {}
  const rows = [...parameterRows(parameters), ...schemaRows(body)]
  return {
    id: operationId,
    title: summary,
    tag: method,
    place: path,
    words: distinctWords([operationId, description, ...rows.map(({ name }) => name)].join(' ')),
  }
}

const distinctWords = (text: string) => [...new Set(text.match(/[\w-]+/g))].join(' ')
