import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The errors that the compiler finds in the programs in strict mode. */
export function findTypeProblems(programs: readonly string[]): string[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const sources = new Map(programs.map((source, index) => [`${root}example${index}.ts`, source]))
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    moduleDetection: ts.ModuleDetectionKind.Force,
  }
  const host = ts.createCompilerHost(options)
  const { readFile: readSource, fileExists } = host
  host.readFile = (name) => sources.get(name) ?? readSource(name)
  host.fileExists = (name) => sources.has(name) || fileExists(name)
  const getSourceFile = host.getSourceFile.bind(host)
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = sources.get(name)
    return text === undefined
      ? getSourceFile(name, languageVersion, ...rest)
      : ts.createSourceFile(name, text, languageVersion)
  }
  const program = ts.createProgram([...sources.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, file }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    )
}
