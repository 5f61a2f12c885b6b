# Two stages: dependencies are installed once with the lock file. The image that runs is a bare Debian with Node's program:
# no package manager but Debian's, no test code, no second Node and no embedded database, because a container takes
# DATABASE_URL. deploy/images.env says how to pin both.
ARG NODE_IMAGE=node:24-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# What only compilers and debuggers read goes.
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
  && find node_modules -type f -regex '.*\.\(map\|d\.[cm]?ts\)' -delete \
  && rm -r node_modules/effect/src
COPY schema ./schema
COPY ledger ./ledger
COPY src ./src
COPY docs ./docs

FROM ${BASE_IMAGE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 LOG_FORMAT=json
WORKDIR /app
# Root's, so that the account that runs it cannot change it.
COPY --from=build /app ./
# What /health says runs here: docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) .
ARG BUILD_COMMIT=
ENV BUILD_COMMIT=$BUILD_COMMIT
LABEL org.opencontainers.image.title="Repayment of Record" \
  org.opencontainers.image.description="Federal student-loan repayment calculations that anyone can confirm later." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.3.0" \
  org.opencontainers.image.revision="$BUILD_COMMIT"
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself, not npm: SIGTERM reaches the service, which finishes what is in flight.
CMD ["node", "src/main.ts"]
