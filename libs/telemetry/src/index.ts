export { endInTime } from './end-in-time.js';
export { type Logger, NestLog, createLogger } from './log.js';
export { Counter, Gauge, Histogram, Metrics } from './metrics.js';
export { type Reading, type Sampled, samplePool, sampled } from './sampled.js';
export { LOGGER, TelemetryModule } from './telemetry.module.js';
export { VERSION } from './version.js';
