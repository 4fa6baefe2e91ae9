package secrets

// ownRules are those we add, because the published set has none, wants a name beside what needs none, or
// has its keyword in the middle of the secret. They come first: they name a secret before others do.
func ownRules() []*rule {
	return []*rule{
		{id: "private-key", anchors: []string{pemBegin}, fold: true, look: lookPEM},
		{id: "stemma-recovery-key", anchors: []string{"stemma-recovery-"}, fold: true, longest: 96,
			pattern: `(?i:stemma-recovery-(?:[a-z2-7]{4}[- ]?){12,13}[a-z2-7]{4})`},
		{id: "stemma-token", anchors: []string{"stemma-agent-", "stemma-owner-", "stemma-hub-", "stemma-invitation-"},
			longest: 64, pattern: `stemma-[a-z]+-[\w-]{43}`, entropy: 3.5},
		{id: "age-secret-key", anchors: []string{"age-secret-key-"}, fold: true,
			pattern: `(?i:AGE-SECRET-KEY-(?:PQ-)?1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58,})`},
		{id: "url-password", anchors: []string{"://"}, look: lookURL},
		{id: "bearer-token", anchors: []string{"bearer "}, fold: true, border: true, look: lookBearer},
		{id: "basic-credentials", anchors: []string{"basic "}, fold: true, border: true, look: lookBasic},
		{id: "netrc-password", anchors: []string{"password"}, border: true, look: lookNetrc},
		{id: "command-user", anchors: []string{" -u", " --user"}, look: lookUser},
		{id: "command-password", anchors: []string{" -p"}, look: lookPass},
		{id: "flag-password", anchors: []string{"--password", "--passphrase", "--passwd"}, look: lookFlag},
		{id: "piped-password", anchors: []string{"--password-stdin"}, look: lookPiped},
		{id: "openssl-password", anchors: []string{"-passin pass:", "-passout pass:", "-pass pass:"}, look: lookPassIn},
		{id: "cookie", anchors: []string{"cookie: ", "cookie = ", "cookie=", " -b ", " --cookie"}, fold: true,
			look: lookCookie},

		{id: "anthropic-api-key", anchors: []string{"sk-ant-"}, border: true, longest: 220,
			pattern: `sk-ant-[a-z]{2,10}\d\d-[\w-]{60,200}`},
		{id: "openai-api-key", anchors: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, border: true, longest: 240,
			pattern: `sk-[a-z]{4,8}-[\w-]{40,220}`},
		{id: "openrouter-api-key", anchors: []string{"sk-or-"}, border: true, longest: 90,
			pattern: `sk-or-(?:v\d-)?[0-9a-fA-F]{40,64}`},
		{id: "huggingface-access-token", anchors: []string{"hf_"}, border: true, longest: 50, entropy: 3,
			pattern: `(hf_[A-Za-z0-9]{34,46})` + endMark},
		{id: "gcp-oauth", anchors: []string{"GOCSPX-", "ya29."}, border: true, longest: 1100,
			pattern: `GOCSPX-[\w-]{28}|ya29\.[\w-]{30,1000}`},
		{id: "aws-secret-access-key", anchors: []string{
			"secret_access_key", "secretaccesskey", "secret access key", "secret-access-key", "aws_secret",
		},
			fold: true, assigned: true, longest: 42, entropy: 3.5, pattern: `([A-Za-z0-9+/]{40})` + endMark},
		{id: "azure-storage-key", anchors: []string{"accountkey", "azure"}, fold: true, assigned: true, longest: 90,
			entropy: 4,
			pattern: `([A-Za-z0-9+/]{86}==)` + endMark},
		{id: "azure-ad-client-secret", anchors: []string{"Q~"}, lead: azureLead, longest: 42, entropy: 3,
			pattern: `([\w~.]{3}\dQ~[\w~.-]{31,34})` + endMark},
		{id: "azure-sas", anchors: []string{"sig="}, border: true, longest: 120,
			pattern: `sig=([A-Za-z0-9%]{43,110}%3[Dd])`},
		{id: "hashicorp-tf-api-token", anchors: []string{".atlasv1."}, lead: alnum, longest: 150, entropy: 3.5,
			pattern: `[A-Za-z0-9]{14,64}\.atlasv1\.[\w=-]{60,70}`},
		{id: "discord-bot-token", anchors: []string{
			"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT",
		}, border: true, longest: 80, entropy: 3.5,
			pattern: `([MNO][A-Za-z\d]{22,27}\.[\w-]{6}\.[\w-]{27,40})` + endMark},
		{id: "discord-webhook", anchors: []string{"/api/webhooks/"}, longest: 130,
			pattern: `/api/webhooks/\d{15,22}/([\w-]{60,80})`},
		{id: "telegram-bot-token", anchors: []string{":AA"}, lead: digit, longest: 60,
			pattern: `(\d{8,12}:AA[\w-]{30,35})(?:/|` + endMark + `)`},
		{id: "twilio-auth-token", anchors: []string{"twilio"}, fold: true, assigned: true, longest: 34, entropy: 2.5,
			pattern: `([a-f0-9]{32})` + endMark},
		{id: "datadog-api-key", anchors: []string{
			"datadog", "dd_api", "dd-api", "dd_app",
		}, fold: true, assigned: true, longest: 42, entropy: 2.5,
			pattern: `([a-f0-9]{32}|[a-f0-9]{40})` + endMark},
		{id: "new-relic-key", anchors: []string{"NRAK-", "NRII-", "NRJS-"}, border: true, longest: 42,
			pattern: `((?:NRAK-[A-Z0-9]{27}|NRII-[\w-]{32}|NRJS-[a-f0-9]{19}))` + endMark},
		{id: "new-relic-license-key", anchors: []string{"NRAL"}, lead: alnum, longest: 42, pattern: `[A-Za-z0-9]{36}NRAL`},
		{id: "notion-secret", anchors: []string{"secret_"}, border: true, longest: 52, entropy: 4,
			pattern: `(secret_[A-Za-z0-9]{43})` + endMark},
		{id: "doppler-token", anchors: []string{
			"dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit.",
		}, border: true, longest: 90, entropy: 3,
			pattern: `dp\.[a-z]{2,5}\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`},
		{id: "okta-token", anchors: []string{"SSWS "}, longest: 50, pattern: `SSWS (00[\w-]{40})`},
		{
			id: "slack-client-token", anchors: []string{"xoxc-", "xoxd-"}, border: true, longest: 400,
			pattern: `xox[cd]-[\w%-]{20,380}`,
		},
		{id: "square-client-secret", anchors: []string{"sq0csp-"}, border: true, longest: 52, pattern: `sq0csp-[\w-]{43}`},
		{
			id: "stripe-webhook-secret", anchors: []string{"whsec_"}, border: true, longest: 80,
			pattern: `whsec_[A-Za-z0-9+/]{32,70}`,
		},
		{id: "sourcegraph-access-token", anchors: []string{"sgp_"}, border: true, longest: 70,
			pattern: `sgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}`},
		{id: "maxmind-license-key", anchors: []string{"_mmk"}, lead: wordly, longest: 42, entropy: 4,
			pattern: `([A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk)` + endMark},
	}
}

func azureLead(c byte) bool { return named(c) || c == '~' }
