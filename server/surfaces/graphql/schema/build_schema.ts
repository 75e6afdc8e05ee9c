// Builds the GraphQL schema from the catalog: adds every resource and action, then renames the roots.
import { GraphQLObjectType, GraphQLSchema } from 'graphql'
import { buildSchemaSync, getMetadataStorage, Resolver } from 'type-graphql'
import type { Catalog } from '../../../catalog/catalog.ts'
import type { CursorCodec } from '../../../contract/keyset.ts'
import type { DeliveryFeed } from '../../../domain/webhooks/deliveries/delivery_listeners.ts'
import { listInputs } from './arguments.ts'
import type { TypeClass } from './decorate.ts'
import { enumTypes, objectTypes, type RootParts } from './object_types.ts'
import { addActions, addMutations, mutationErrorType } from './root_mutations.ts'
import { addQueries } from './root_queries.ts'
import { addBeaconCreated, addWebhookDeliveryEvents, type OpenBeacons } from './subscriptions.ts'

interface SchemaCollaborators {
  readonly catalog: Catalog
  readonly cursors: CursorCodec
  /** The source of `beaconCreated`. */
  readonly beacons: OpenBeacons
  /** The feed of `webhookDeliveryEvents`. When absent, the subscription never yields an event. */
  readonly deliveries?: Pick<DeliveryFeed, 'follow'>
}

/** Builds the schema once at startup. @throws Error for a name that does not convert back, see `reversible` */
export function buildGraphqlSchema(collaborators: SchemaCollaborators): GraphQLSchema {
  const { catalog, cursors, beacons, deliveries = { follow: async () => () => undefined } } = collaborators
  const { resources, actions, related } = catalog
  const enums = enumTypes()
  const roots = { Query: root(), Mutation: root(), Subscription: root() }
  const parts: RootParts = {
    ...{ ...roots, enums, related, cursors },
    types: objectTypes(catalog, enums),
    inputs: listInputs(
      resources.filter(({ operations }) =>
        operations.some((one) => one.kind === 'list' && one.newest === undefined),
      ),
    ),
    MutationError: mutationErrorType(),
  }
  for (const resource of resources) {
    addQueries(parts, resource)
    addMutations(parts, resource)
  }
  addActions(parts, actions)
  addBeaconCreated(parts, beacons)
  addWebhookDeliveryEvents(parts, deliveries)
  const built = buildSchemaSync({
    resolvers: [roots.Query, roots.Mutation, roots.Subscription],
    validate: false,
    // A test asks the schema about itself, so that no start has to.
    skipCheck: true,
    // Subscriptions have their own sources, but type-graphql requires an object to publish through.
    pubSub: { publish: nothingIsPublished, subscribe: nothingIsPublished },
  })
  // What the decorators have noted would be kept for ever, and read again with every schema that is built after this one.
  getMetadataStorage().clear()
  return renamed(built)
}

function root(): TypeClass {
  const Root = class {}
  Resolver()(Root)
  return Root
}

const nothingIsPublished = (): never => {
  throw new Error('No topic is ever published: every subscription has a source of its own.')
}

/** Gives the roots their published names. */
function renamed(schema: GraphQLSchema): GraphQLSchema {
  const config = schema.toConfig()
  const under = (name: string, type: GraphQLObjectType | null | undefined) =>
    type ? new GraphQLObjectType({ ...type.toConfig(), name }) : null
  return new GraphQLSchema({
    ...config,
    types: config.types.filter(({ name }) => !['Query', 'Mutation', 'Subscription'].includes(name)),
    query: under('RootQueryType', config.query),
    mutation: under('RootMutationType', config.mutation),
    subscription: under('RootSubscriptionType', config.subscription),
  })
}
