# The simulator as an image: the libraries that it loads and its sources, which Node 24 runs as they stand.

FROM node:24-bookworm-slim AS libraries
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What only the suite loads is taken out again; workflows.test.ts holds this list to the simulator's imports.
RUN npm ci --omit=dev --ignore-scripts --no-update-notifier \
 && npm uninstall --omit=dev --ignore-scripts --no-update-notifier dotenv entities fast-check jsonc-parser open p-limit rolldown vitest \
 && rm -rf /root/.npm

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="NF-e simulator" \
      org.opencontainers.image.description="Simulator of the NF-e Fiscal Document Service Interface, with test clocks" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=libraries /app/node_modules ./node_modules
COPY package.json ./
COPY contract ./contract
COPY schemas ./schemas
COPY simulator ./simulator
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Any answer will do: without a signature the gateway refuses, and only a server that lives does that.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/').then((answer) => process.exit(answer.status < 500 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "simulator/main.ts", "--host", "0.0.0.0", "--port", "8080", "--data", "/data/simulator.db"]
