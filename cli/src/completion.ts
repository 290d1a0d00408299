import type { Command } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish']

type Word = { readonly word: string; readonly about: string }
type Flag = Word & {
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A node of the command tree and its completions. */
type CommandNode = {
  /** Path such as /stores/list; empty at the root. */
  readonly at: string
  readonly words: readonly Word[]
  readonly flags: readonly Flag[]
  readonly takesFile: boolean
}

/** Generates a completion script from the command tree. */
export function completionOf(program: Command, shell: string): string {
  const nodes = nodesOf(program, '')
  if (shell === 'fish') return fish(nodes)
  return shell === 'zsh' ? zsh(nodes) : bash(nodes)
}

function nodesOf(command: Command, at: string): CommandNode[] {
  const commands = command.commands.map((child) => ({
    word: child.name(),
    about: child.description(),
  }))
  const values = command.registeredArguments.flatMap((argument) =>
    (argument.argChoices ?? []).map((word) => ({ word, about: argument.description })),
  )
  const flags = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      word: option.long!,
      about: option.description,
      takesValue: option.required,
      choices: option.argChoices ?? [],
    }))
  const takesFile = command.registeredArguments.some((argument) => argument.name() === 'file')
  return [
    { at, words: [...commands, ...values], flags, takesFile },
    ...command.commands.flatMap((child) => nodesOf(child, `${at}/${child.name()}`)),
  ]
}

const commandPaths = (nodes: readonly CommandNode[]) =>
  nodes.map(({ at }) => at).filter((at) => at !== '')

/** All flags that take a value, with their path. */
const flagsWithValue = (nodes: readonly CommandNode[]) =>
  nodes.flatMap(({ at, flags }) =>
    flags.filter((flag) => flag.takesValue).map((flag) => ({ ...flag, key: `${at} ${flag.word}` })),
  )

// Without completions, bash falls back to file names.
function bash(nodes: readonly CommandNode[]): string {
  const values = flagsWithValue(nodes).map(
    ({ key, choices }) => `    '${key}') words='${choices.join(' ')}' ;;`,
  )
  const offers = nodes.map(({ at, words, flags, takesFile }) => {
    const all = [...words, ...flags].map(({ word }) => word).join(' ')
    const condition = takesFile ? '[[ $cur == -* ]] && ' : ''
    return `      '${at}') ${condition}words='${all}' ;;`
  })
  return `# Bash: source <(npx florin completion bash)
_florin() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= words= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at/$word" in
      ${commandPaths(nodes).join('|')}) at=$at/$word ;;
    esac
  done
  case "$at $prev" in
${values.join('\n')}
    *) case "$at" in
${offers.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _florin florin`
}

function zsh(nodes: readonly CommandNode[]): string {
  const values = flagsWithValue(nodes).map(({ key, choices }) =>
    choices.length === 0
      ? `    ('${key}') _default ;;`
      : `    ('${key}') compadd -- ${choices.join(' ')} ;;`,
  )
  const offers = nodes.map(({ at, words, flags, takesFile }) => {
    const lines = [...words, ...flags].map(({ word, about }) => quote(`${word}:${about}`))
    const files = takesFile ? '; [[ $PREFIX == -* ]] || { _files; return; }' : ''
    return `      ('${at}') about=(${lines.join(' ')})${files} ;;`
  })
  return `#compdef florin
# Zsh, after compinit: source <(npx florin completion zsh)
_florin() {
  local at= word
  local -a about
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at/$word" in
      (${commandPaths(nodes).join('|')}) at=$at/$word ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${values.join('\n')}
    (*) case "$at" in
${offers.join('\n')}
    esac
    _describe florin about ;;
  esac
}
if [[ $funcstack[1] == _florin ]]; then _florin "$@"; else compdef _florin florin; fi`
}

function fish(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ at, words, flags, takesFile }) => {
    const command = `complete -c florin -n '__florin_at "${at}"'`
    return [
      ...words.map(({ word, about }) => `${command} -a ${word} -d ${quote(about)}`),
      ...flags.map(({ word, about, takesValue, choices }) => {
        const values = choices.length === 0 ? ' -r' : ` -x -a '${choices.join(' ')}'`
        const value = takesValue ? values : ''
        return `${command} -l ${word.slice(2)}${value} -d ${quote(about)}`
      }),
      ...(takesFile ? [`${command} -F`] : []),
    ]
  })
  return `# Fish: npx florin completion fish | source
function __florin_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$at/$word" ${commandPaths(nodes).join(' ')}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c florin -f
${lines.join('\n')}`
}

/** Quotes for zsh and fish: an apostrophe closes the quotes, is quoted itself, and reopens them. */
const quote = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`
