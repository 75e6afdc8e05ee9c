// One page of the documentation: a type with its members, or a field with its arguments.
import './graphiql.css'
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql'
import type { RefObject } from 'react'
import type { DocPlace } from './schema_search.ts'

type Go = (place: DocPlace) => void
type DocPageProps = {
  readonly schema: GraphQLSchema
  readonly place: DocPlace
  readonly heading: RefObject<HTMLHeadingElement | null>
  readonly onGo: Go
}

export const DocPage = ({ schema, place, heading, onGo }: DocPageProps) => {
  const type = schema.getType(place.type)
  if (type === undefined) return <p className="pane-note">The schema has no such type.</p>
  const member = place.field === null ? undefined : membersOf(type).find(({ name }) => name === place.field)
  return (
    <>
      <h3 ref={heading} tabIndex={-1} className="docs-name">
        {member === undefined ? type.name : `${type.name}.${member.name}`}
      </h3>
      {member === undefined ? (
        <TypePage schema={schema} type={type} onGo={onGo} />
      ) : (
        <MemberPage member={member} onGo={onGo} />
      )}
    </>
  )
}

type Member = GraphQLField<unknown, unknown> | GraphQLInputField

const membersOf = (type: GraphQLNamedType): Member[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
    ? Object.values(type.getFields())
    : []

const argumentsOf = (member: Member): readonly GraphQLArgument[] => ('args' in member ? member.args : [])

type TypePageProps = {
  readonly schema: GraphQLSchema
  readonly type: GraphQLNamedType
  readonly onGo: Go
}

const TypePage = ({ schema, type, onGo }: TypePageProps) => {
  const members = membersOf(type)
  return (
    <>
      <Doc text={type.description} />
      {isEnumType(type) && (
        <dl className="docs-members">
          {type.getValues().map((value) => (
            <div key={value.name}>
              <dt className="code-name">{value.name}</dt>
              <dd>{value.description}</dd>
            </div>
          ))}
        </dl>
      )}
      {isAbstractType(type) && (
        <ul className="docs-list">
          {schema.getPossibleTypes(type).map((possible) => (
            <li key={possible.name}>
              <TypeLink type={possible} onGo={onGo} />
            </li>
          ))}
        </ul>
      )}
      <dl className="docs-members">
        {members.map((member) => (
          <div key={member.name}>
            <dt>
              <button
                type="button"
                className="doc-link"
                onClick={() => onGo({ type: type.name, field: member.name })}
              >
                {member.name}
              </button>
              {argumentsOf(member).length > 0 && '(…)'}: <TypeLink type={member.type} onGo={onGo} />
            </dt>
            <dd>
              {member.deprecationReason != null && <em>Deprecated: {member.deprecationReason} </em>}
              {member.description}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const MemberPage = ({ member, onGo }: { member: Member; onGo: Go }) => (
  <>
    <p className="docs-type">
      <TypeLink type={member.type} onGo={onGo} />
    </p>
    <Doc text={member.description} />
    {argumentsOf(member).length > 0 && <h3>Arguments</h3>}
    <dl className="docs-members">
      {argumentsOf(member).map((argument) => (
        <div key={argument.name}>
          <dt>
            <span className="code-property">{argument.name}</span>:{' '}
            <TypeLink type={argument.type} onGo={onGo} />
            {argument.defaultValue !== undefined && ` = ${JSON.stringify(argument.defaultValue)}`}
          </dt>
          <dd>{argument.description}</dd>
        </div>
      ))}
    </dl>
  </>
)

/** Shows `[Beacon!]!` with the name as a link. */
const TypeLink = ({ type, onGo }: { type: GraphQLType; onGo: Go }) => {
  const { name } = getNamedType(type)
  const [before = '', after = ''] = String(type).split(name)
  return (
    <>
      {before}
      <button type="button" className="doc-link doc-type" onClick={() => onGo({ type: name, field: null })}>
        {name}
      </button>
      {after}
    </>
  )
}

const Doc = ({ text }: { text: string | null | undefined }) =>
  text == null ? null : <p className="docs-text">{text}</p>
