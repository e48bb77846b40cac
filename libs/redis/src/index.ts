export { type RedisClient, type RedisPlace, connectRedis, requestsKey } from './connect-redis.js';
export {
  REDIS,
  describeRedisOutage,
  isRedisOutage,
  isRefusedByRedis,
  isRefusedLogin,
  isUnwritable,
  describeRedisRefusal,
  describeUncountedRequests,
} from './redis-errors.js';
