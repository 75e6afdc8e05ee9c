// Runs axe-core in a page, with all its rules, and returns its findings in one line each.
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Put into each document before its own scripts, so that the content policy does not concern it. */
export const AXE_SCRIPT = axe.source

/** Colours are all that differs between a light page and a dark one. */
export type AxeRules = 'all' | 'colours'

export async function axeFindings(page: Page, rules: AxeRules = 'all'): Promise<readonly string[]> {
  const { violations } = await page.evaluate(runAxe, rules)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join('; ')
      return `${id} at ${target.join(' ')}: ${why}`
    }),
  )
}

const runAxe = async (rules: AxeRules): Promise<Pick<AxeResults, 'violations'>> => {
  const found: unknown = Reflect.get(window, 'axe')
  const isAxe = (value: unknown): value is typeof axe =>
    typeof value === 'object' && value !== null && 'run' in value
  if (!isAxe(found)) throw new Error('axe is not in this document.')
  return found.run(document, {
    preload: false,
    resultTypes: ['violations'],
    ...(rules === 'colours' ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {}),
  })
}
