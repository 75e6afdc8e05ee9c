// A sheet that is loaded with a page stays when another page comes, so in the sheet of a room every selector names a class
// that only this room uses, or those that are built on it. What several rooms show is a pattern, in console-web/src/look/.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SRC = resolve(import.meta.dirname, '..', '..', 'console-web', 'src')

const paths = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(SRC.length + 1))
const read = (path: string): string => readFileSync(join(SRC, path), 'utf8')
const roomOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')

/** On every page from its beginning. Pages put the rooms together. */
const EVERYWHERE = new Set(['look', 'shell'])
const COMPOSES = new Set(['pages', ''])

interface Rule {
  /** With those of the rules around it. */
  readonly selectors: readonly string[]
  readonly body: string
}

/** The rules of a sheet, without those within `@keyframes`. */
const rulesOf = (text: string): Rule[] => {
  const rules: Rule[] = []
  const around: string[] = []
  const css = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/@import[^;]*;/g, '')
  for (const [, head = '', body, end] of css.matchAll(/([^{}]*)(?:\{(?:([^{}]*)\})?|(\}))/g)) {
    // Of a rule in a rule, what stands after the declarations of the outer one.
    const name = head.slice(head.lastIndexOf(';') + 1).trim()
    if (end !== undefined) around.pop()
    else if (body === undefined) around.push(name)
    else if (!around.some((one) => one.startsWith('@keyframes')))
      rules.push({ selectors: separate(name).map((one) => [...around.filter(isRule), one].join(' ')), body })
  }
  return rules
}

const isRule = (name: string): boolean => !name.startsWith('@')

/** At the commas that stand in no brackets. */
const separate = (selector: string): string[] => {
  const parts: string[] = ['']
  let depth = 0
  for (const sign of selector) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0
    if (sign === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim())
}

const classesIn = (selector: string): string[] =>
  [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name)

/** The classes that components give to elements, also by choice: `className={isOpen ? 'a' : 'b'}`. */
const classesOf = (text: string): string[] =>
  [...text.matchAll(/\bclass(?:Name)?(?:=|: ?| = )(\{(?:[^{}]|\{[^{}]*\})*\}|["'`][^"'`]*["'`])/g)]
    .flatMap(([, value = '']) => value.match(/["'`][^"'`]*["'`]/g) ?? [])
    .flatMap((words) => words.split(/[^\w-]+/))

/** Prefixes of classes that components put together, e.g. `row-` of `row-${name}`. */
const BUILT = new Set(
  paths
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) =>
      [...read(path).matchAll(/[`'"\s]([a-z][a-z-]*-)(?:\$\{|['"`])/g)].map(([, name = '']) => name),
    ),
)
const isBuilt = (name: string): boolean => [...BUILT].some((prefix) => name.startsWith(prefix))

const sheets = paths.filter((path) => path.endsWith('.css'))
const usedBy = new Map<string, Set<string>>()
for (const path of paths.filter((path) => path.endsWith('.tsx') || path.endsWith('.ts')))
  for (const word of classesOf(read(path)))
    usedBy.set(word, (usedBy.get(word) ?? new Set()).add(roomOf(path)))

/** What is there for all rooms. Paper and forced colours name what rooms have. */
const patterns = new Set(
  sheets
    .filter((path) => roomOf(path) === 'look' && !/print|forced_colours/.test(path))
    .flatMap((path) => rulesOf(read(path)).flatMap(({ selectors }) => selectors.flatMap(classesIn))),
)

const isBuiltOn = (other: string, room: string): boolean =>
  paths.some((path) => roomOf(path) === other && /\.tsx?$/.test(path) && read(path).includes(`'../${room}/`))

/** Only the room of the sheet uses the class, what is built on it, and the pages that show it. */
const isOwn = (name: string, room: string): boolean =>
  !patterns.has(name) &&
  [...(usedBy.get(name) ?? [])].every((one) => one === room || COMPOSES.has(one) || isBuiltOn(one, room))

const ofRooms = sheets.filter((path) => !EVERYWHERE.has(roomOf(path)))

describe('the sheet of a room', () => {
  it('is brought by a part of the room, or by another sheet of it', () => {
    const brings = (path: string, sheet: string): boolean =>
      roomOf(path) === roomOf(sheet) && read(path).includes(`import ${quoted(sheet, path)}`)
    const quoted = (sheet: string, path: string): string =>
      path.endsWith('.css') ? `"./${basename(sheet)}"` : `'./${basename(sheet)}'`
    const forgotten = ofRooms.filter((sheet) => !paths.some((path) => brings(path, sheet)))
    expect(forgotten).toEqual([])
  })

  it('changes nothing of other rooms', () => {
    const offenders = ofRooms.flatMap((path) =>
      rulesOf(read(path)).flatMap(({ selectors }) =>
        selectors
          .filter((selector) => !classesIn(selector).some((name) => isOwn(name, roomOf(path))))
          .map((selector) => `${path}: ${selector}`),
      ),
    )
    expect(offenders).toEqual([])
  })

  it('has animations of its own, or those of every page', () => {
    const framesOf = (text: string) => [...text.matchAll(/@keyframes ([\w-]+)/g)].map(([, name = '']) => name)
    const homes = new Map<string, string[]>()
    for (const path of sheets)
      for (const name of framesOf(read(path))) homes.set(name, [...(homes.get(name) ?? []), roomOf(path)])
    expect([...homes].filter(([, rooms]) => rooms.length > 1)).toEqual([])
    const offenders = sheets.flatMap((path) =>
      rulesOf(read(path)).flatMap(({ body }) =>
        [...body.matchAll(/animation:\s*([\w-]+)/g)]
          .map(([, name = '']) => name)
          .filter((name) => name !== 'none')
          .filter((name) => {
            const [home = 'nowhere'] = homes.get(name) ?? []
            return home !== roomOf(path) && !EVERYWHERE.has(home)
          })
          .map((name) => `${path}: ${name}`),
      ),
    )
    expect(offenders).toEqual([])
  })
})

const MAKES_TOKENS = /^look\/(?:theme|print)/
/** Measured in points and millimetres. */
const PAPER = /print/
/** A corner of so few pixels is part of a drawing. */
const DRAWN_CORNER_PX = 3

/** Distances from the smallest step of the scale to its largest. What is smaller is a line, what is larger a column. */
const isStep = (pixels: number): boolean => pixels >= 4 && pixels <= 56

it('sizes of type, corners, colours and steps of space are tokens', () => {
  const isToken = (property: string, value: string): boolean => {
    if (/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i.test(value)) return false
    if (property === 'border-radius')
      return (value.match(/\d+(?:\.\d+)?px/g) ?? []).every((one) => Number.parseFloat(one) <= DRAWN_CORNER_PX)
    if (/^(?:padding|margin|(?:row-|column-)?gap)\b/.test(property))
      return value.includes('calc(') || !(value.match(/[\d.]+(?=px)/g) ?? []).map(Number).some(isStep)
    if (!/^font(-size)?$/.test(property)) return true
    // What grows with the window has its bounds in pixels.
    return !/\d(?:px|rem|pt)/.test(value.replaceAll(/clamp\([^)]*\)/g, ''))
  }
  const offenders = sheets
    .filter((path) => !MAKES_TOKENS.test(path))
    .flatMap((path) =>
      rulesOf(read(path))
        .filter(({ selectors }) => !PAPER.test(selectors.join()))
        .flatMap(({ selectors, body }) =>
          body
            .split(';')
            .map((one) => one.trim().split(/:\s*(.*)/s))
            .filter(([property = '', value]) => value !== undefined && !isToken(property, value))
            .map(([property]) => `${path}: ${property} of ${selectors.join(', ')}`),
        ),
    )
  expect(offenders).toEqual([])
})

it('every class of a sheet is used', () => {
  const LIBRARIES = /^(cm|u|cmdk)-/
  const offenders = sheets.flatMap((path) =>
    [...new Set(rulesOf(read(path)).flatMap(({ selectors }) => selectors.flatMap(classesIn)))]
      .filter((name) => !LIBRARIES.test(name) && !usedBy.has(name) && !isBuilt(name))
      .map((name) => `${path}: .${name}`),
  )
  expect(offenders).toEqual([])
})
