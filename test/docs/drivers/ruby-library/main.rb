require "json"
require "standardwebhooks"

def accepts?(request)
  StandardWebhooks::Webhook.new(request["secret"]).verify(request["body"].unpack1("m"), request["headers"])
  true
rescue StandardError
  false
end

puts JSON.generate(JSON.parse($stdin.read).map { |request| accepts?(request) })
