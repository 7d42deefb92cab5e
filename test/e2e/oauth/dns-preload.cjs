// Loaded into a service process before its own code: resolves names below .example to this machine. Everything after
// the name's resolution is the service's own code.
const dns = require('node:dns');
const { syncBuiltinESMExports } = require('node:module');

const { lookup } = dns.promises;
dns.promises.lookup = async (host, options) => {
  if (!String(host).endsWith('.example')) return lookup.call(dns.promises, host, options);
  const found = { address: '127.0.0.1', family: 4 };
  return options && options.all ? [found] : found;
};
syncBuiltinESMExports();
