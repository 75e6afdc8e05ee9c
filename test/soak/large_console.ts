// A console with much behind it: how soon after its answer each list has its first row, and whether the page ever keeps
// somebody waiting who scrolls.
import type { ConsoleRoute } from '../../shared/wire/console_routes.ts'
import { Started } from '../bench/started.ts'
import { openBrowser } from '../support/browser.ts'
import prepareBrowser from '../support/browser_setup.ts'
import { openLargeGround } from './large_ground.ts'
import { type ListVisit, visitList } from './list_visit.ts'

/** Milliseconds from the end of the answer that brings the list to the first frame that has a row of it. */
const MOST_MS = 500
/**
 * Milliseconds of the processor. On a machine that does nothing else they are those of the clock, after which a browser calls
 * a task long; on another one the clock tells more of the others than of the console.
 */
const LONGEST_TASK_MS = 50
/**
 * Each bound is taken over the best of so many visits of a page, which end when both hold: others on the machine make a visit
 * slower and never faster, and what the console itself does too slowly, it does in each.
 */
const VISITS = 9

/** What brings the list of each page, and its rows. Null for pages that list nothing, or only a part of one document. */
const LISTS: Readonly<Record<ConsoleRoute, readonly [answer: string, row: string] | null>> = {
  '/': ['/api/json/beacons?', 'monitor-row'],
  '/chain': ['/api/json/beacons?', 'beacon-row'],
  '/beacons/:hash': ['/api/json/beacons?', 'beacon-row'],
  '/beacons/:hash/draw': null,
  '/items': ['/api/json/items?', 'item-row'],
  '/items/new': null,
  '/items/:id': null,
  '/blocks/:id': ['/api/json/items?', 'leaf-row'],
  '/entropy/:id': null,
  '/verify': null,
  '/verify/:type/:id': null,
  '/webhooks': ['/api/json/webhook-endpoints?', 'endpoint'],
  '/webhooks/new': null,
  '/webhooks/deliveries': ['/api/json/webhook-deliveries?', 'delivery-row'],
  '/webhooks/deliveries/:id': null,
  '/webhooks/receiver': ['/console/receiver/', 'arrival'],
  '/webhooks/:id': ['/api/json/webhook-deliveries?', 'delivery-row'],
  '/connection': null,
  '/graphiql': null,
  '/signed-in': null,
  '/account/keys': ['/api/json/api-keys?', 'key-row'],
  '/account/teams': ['/api/json/teams?', 'team-row'],
  '/account/teams/:id': ['/api/json/memberships?', 'member-row'],
  '/account/sessions': ['/api/json/sessions?', 'session-row'],
  '/account/applications': ['/api/json/allowed-applications?', 'application-row'],
  '/account/password': null,
}

/** @returns whether every bound holds on every page */
export async function showLargeLists(say: (line: string) => void): Promise<boolean> {
  await prepareBrowser()
  const started = new Started(say)
  try {
    const { base, apiKey, ids } = await openLargeGround(started, say)
    const browser = await openBrowser()
    started.add('the browser', () => browser.close())
    const held: boolean[] = []
    for (const [route, list] of Object.entries(LISTS)) {
      if (list === null) continue
      const [answer, row] = list
      const address = base + route.replace(/([^/]+)\/:\w+/, (_, noun: string) => `${noun}/${ids[noun]}`)
      const visits: ListVisit[] = []
      while (visits.length < VISITS && !judged(visits).every(({ holds }) => holds))
        visits.push(await visitList(browser, { address, apiKey, answer, row }))
      for (const { holds, words } of judged(visits)) {
        say(`${holds ? 'holds' : 'FAILS'}: ${route} ${words}`)
        held.push(holds)
      }
    }
    return held.every(Boolean)
  } finally {
    await started.end()
  }
}

function judged(visits: readonly ListVisit[]) {
  const best = (of: (visit: ListVisit) => number): number => Math.min(...visits.map(of))
  // A row that is there before its answer came by another one.
  const wait = Math.min(...visits.map(({ waitMs }) => waitMs).filter((ms) => ms >= 0))
  const task = best(({ processorMs }) => processorMs)
  const scrolled = best((visit) => visit.scrolled)
  return [
    {
      holds: wait <= MOST_MS,
      words: `has its first row ${wait.toFixed(0)} ms after its answer (at most ${MOST_MS})`,
    },
    {
      holds: scrolled > 0 && task > 0 && task <= LONGEST_TASK_MS,
      words:
        `is scrolled ${scrolled.toFixed(0)} pixels with tasks of ${task.toFixed(0)} ms or less (at most ${LONGEST_TASK_MS}), ` +
        `by the clock ${best(({ clockMs }) => clockMs) || `none over ${LONGEST_TASK_MS}`}; visits: ${visits.length}`,
    },
  ]
}
