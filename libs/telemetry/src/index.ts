export { EventLoopWatch } from './event-loop-watch.js';
export { enableGracefulShutdown } from './graceful-shutdown.js';
export { type Logger, NestLogger, createLogger } from './logger.js';
export { metricsAccess } from './metrics-access.js';
export { Counter, Gauge, type GaugeReading, Histogram, Metrics, VERSION } from './metrics.js';
export {
  cachedFor,
  metricMakers,
  registerCount,
  registerDiskGauges,
  registerGauge,
  registerPoolGauge,
} from './metrics.js';
export { OutageLog } from './outage-log.js';
export { LOGGER, TelemetryModule } from './telemetry.module.js';
