export { type RedisClient, type RedisPlace, type RedisUse, connectRedis } from './connect-redis.js';
export { isRefusedByRedis, tellRefusal, tellUncounted } from './refusals.js';
export { REDIS, describeRedisOutage, isRedisOutage, isRefusedLogin } from './outages.js';
export { requestsKey } from './requests-key.js';
