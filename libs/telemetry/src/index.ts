export { EventLoopWatch } from './event-loop-watch.js';
export { enableGracefulShutdown } from './graceful-shutdown.js';
export { type Logger, NestLogger, createLogger } from './logger.js';
export { Counter, Gauge, Histogram, Metrics, VERSION } from './metrics.js';
export { metricsAccess } from './metrics-access.js';
export {
  type GaugeReading,
  registerDiskGauges,
  cachedFor,
  registerPoolGauge,
  registerCount,
  registerGauge,
} from './metrics.js';
export { OutageLog } from './outage-log.js';
export { LOGGER, TelemetryModule } from './telemetry.module.js';
