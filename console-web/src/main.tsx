// Starts the console: theme, session, then the app.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { startTheme } from './data/kept/theme.ts'
import { session } from './session/page_session.ts'
import { Tip } from './ui/over/tip.tsx'

startTheme()
session.start()

const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
      <Tip />
    </StrictMode>,
  )
