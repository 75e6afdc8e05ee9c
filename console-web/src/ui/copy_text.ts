// Puts text on the clipboard. Over plain HTTP there is no clipboard API, so it then uses a hidden field.
export const copyText = async (text: string): Promise<boolean> => {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Permission was refused or the page has no focus. The hidden field may still work.
  }
  return copyThroughField(text)
}

const copyThroughField = (text: string): boolean => {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
