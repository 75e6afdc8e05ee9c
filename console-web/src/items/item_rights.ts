// Whether the person may change an item: its creator, or in a team that keeps its items, its owners and admins.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readDocument, textOrNull } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import type { Item } from './item.ts'

export type ItsTeam = { readonly role: string | null; readonly ownershipModel: string | null }

/** False also until it is known. The service decides in any case. */
const mayChange = (item: Pick<Item, 'creatorId'>, me: string | null, team: ItsTeam | null): boolean => {
  if (me === null) return false
  if (team?.ownershipModel === 'team_retains') return team.role === 'owner' || team.role === 'admin'
  return item.creatorId === me
}

export const useMayChange = (item: Item): boolean => {
  const me = useDocument('/api/json/users/me', { read: readId })
  const team = useDocument(`/api/json/teams/${encodeURIComponent(item.teamId)}`, { read: readTeam })
  // Of a team that the person is no longer in, nothing can be read.
  if (team.kind === 'loading' || team.kind === 'failed') return false
  return mayChange(item, me.kind === 'found' ? me.value : null, team.kind === 'found' ? team.value : null)
}

const readId = (document: JsonValue): string => readDocument(document).id

const readTeam = (document: JsonValue): ItsTeam => {
  const team = readDocument(document)
  return { role: textOrNull(team, 'role'), ownershipModel: textOrNull(team, 'ownership_model') }
}
