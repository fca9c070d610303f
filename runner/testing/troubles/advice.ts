/** To look at the address again. */
export const checkAddress =
  /\b(?:check|set|correct|change) (?:the (?:base )?address|NFE_BASE_URL)\b|\b(?:it|NFE_BASE_URL) (?:ends|takes)\b/i;

/** To look at the way to the address. */
export const lookAtWay =
  /^(?:(?!\b(?:check|see|look|try|start|set)\b).)*\b(?:check|see|look|try|start|set)\b.*\b(?:address|NFE_BASE_URL|name|port|server|network|firewall|VPN|proxy)\b/im;

/** To look at what stands between the suite and the server. */
export const lookInBetween =
  /^(?=.*\b(?:ask|have|let|lets|allow|check|see|look)\b).*\b(?:firewall|WAF|proxy|gateway|in between)\b/im;
