// Puts text on the clipboard; over plain HTTP, where the clipboard API does not exist, through a hidden field.
export const copyText = async (text: string): Promise<boolean> => {
  try {
    if (window.isSecureContext) {
      await navigator.clipboard.writeText(text)
      return true
    }
  } catch {
    // Permission refused, or the page is not focused: the old way may still do.
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
