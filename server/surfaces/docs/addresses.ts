// The addresses of the documentation.

export const DOCS_PATH = '/docs'
export const DOCS_STYLE = `${DOCS_PATH}/docs.css`

export const articlePath = (slug: string): string => `${DOCS_PATH}/${slug}`
