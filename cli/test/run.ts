import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './demo.ts'

export const program = join(root, 'cli/bin/florin.mjs')

export type Result = { code: number; stdout: string; stderr: string }

/** Runs the command with these settings. */
export async function run(env: Record<string, string>, ...args: string[]): Promise<Result> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
      env: { ...process.env, ...env },
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as Result
    return { code, stdout, stderr }
  }
}
