import type { Queryable } from '../../src/database/database.ts'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Plan[]
}
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** Runs each query, and explains it with the same parameters. */
export async function explainQueries(
  database: Queryable,
  work: (on: Queryable) => Promise<unknown>,
) {
  const nodes: string[] = []
  const indexes: string[] = []
  const result = await work({
    isDistributed: database.isDistributed,
    async query<Row>(text: string, values: readonly unknown[] = []) {
      type Explained = { 'QUERY PLAN': { Plan: Plan }[] }
      const [row] = await database.query<Explained>(`explain (format json) ${text}`, values)
      for (const node of nodesOf(row!['QUERY PLAN'][0]!.Plan)) {
        if (node['Relation Name']) nodes.push(`${node['Node Type']} on ${node['Relation Name']}`)
        if (node['Index Name']) indexes.push(node['Index Name'])
      }
      return database.query<Row>(text, values)
    },
  })
  return { result, nodes, indexes }
}
