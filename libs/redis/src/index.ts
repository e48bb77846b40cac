export { type RedisClient, type RedisPlace, type RedisUse, connectRedis } from './connect-redis.js';
