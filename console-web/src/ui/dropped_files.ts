// The files that were dropped on the page, those of dropped folders too. Nothing of their content is read.
import { MOST_FILES } from '../data/given_files.ts'

/** One more than are taken at once, which tells that there were more. */
const ENOUGH = MOST_FILES + 1

/** Must be called in the event itself: the browser forgets what was dropped afterwards. */
export const droppedFiles = async (transfer: DataTransfer): Promise<readonly File[]> => {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  // Without folders the browser's own list holds the files. It gives no entries for some of them.
  return entries.some(isFolder) ? walk(entries) : [...transfer.files].slice(0, ENOUGH)
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const walk = async (open: FileSystemEntry[]): Promise<readonly File[]> => {
  const files: File[] = []
  for (let entry = open.shift(); entry !== undefined && files.length < ENOUGH; entry = open.shift()) {
    if (isFile(entry)) files.push(...(await fileOf(entry)))
    else if (isFolder(entry)) open.push(...(await contentOf(entry)))
  }
  return files
}

/** Empty when the browser may not read it. */
const fileOf = (entry: FileSystemFileEntry): Promise<File[]> =>
  new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  )

/** The browser gives a folder in pieces, and an empty one at the end. */
const contentOf = async (folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> => {
  const reader = folder.createReader()
  const content: FileSystemEntry[] = []
  while (content.length < ENOUGH) {
    const piece = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    )
    if (piece.length === 0) break
    content.push(...piece)
  }
  return content
}
