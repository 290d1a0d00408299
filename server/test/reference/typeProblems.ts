import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findTypeErrors } from '../setup/compile.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const STRICT = '--strict --exactOptionalPropertyTypes --target es2022 --moduleDetection force'

/** The errors that the compiler finds in the programs in strict mode. */
export async function findTypeProblems(programs: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-examples-'))
  try {
    await symlink(MODULES, join(folder, 'node_modules'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const files = programs.map((_, index) => join(folder, `example${index}.ts`))
    for (const [index, program] of programs.entries()) await writeFile(files[index]!, program)
    return await findTypeErrors(files, STRICT.split(' '))
  } finally {
    await rm(folder, { recursive: true })
  }
}
