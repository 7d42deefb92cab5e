// Loaded into a service process before its own code: names below .example are this machine, as a resolver of the specs
// would say. Everything after the question for the address is the service's own.
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');

const { lookup } = dns.promises;
dns.promises.lookup = async (host, options) => {
  if (!String(host).endsWith('.example')) return lookup.call(dns.promises, host, options);
  const found = { address: '127.0.0.1', family: 4 };
  return options && options.all ? [found] : found;
};
syncBuiltinESMExports();
